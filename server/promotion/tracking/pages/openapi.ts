// The public links in the API reference: they are served without endpoint declarations.
import type { InboundOperation } from '../../../platform/http/openapi/document.ts';

const redirected = {
  302: {
    description: 'Always, even if the click is not recorded or the link does not exist.',
    headers: { Location: { description: 'The destination, with the click id as `trb_click`.', schema: { type: 'string', format: 'uri' } } },
  },
};

const parameter = (name: string, description: string, example: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const query = [
  {
    name: 'url',
    in: 'query',
    required: false,
    description: 'A deep link: the page of the program’s website to redirect to instead of its home page.',
    schema: { type: 'string', format: 'uri' },
  },
];

/** The operations of affiliate links. */
export const followLink: readonly InboundOperation[] = [
  {
    method: 'get',
    path: '/r/{name}',
    operation: {
      operationId: 'links.follow',
      tags: ['Clicks'],
      summary: 'Follow an affiliate link',
      description:
        'Records the click and redirects the visitor. A vanity slug without the program belongs permanently to the first program that took it.',
      'x-required-scope': 'open',
      security: [],
      parameters: [parameter('name', 'A referral code or a vanity slug.', 'K7QM3XWP'), ...query],
      responses: redirected,
    },
  },
  {
    method: 'get',
    path: '/r/{program}/{name}',
    operation: {
      operationId: 'links.followInProgram',
      tags: ['Clicks'],
      summary: 'Follow an affiliate link of a program',
      description:
        'As `/r/{name}`, for the code or vanity slug of a given program. An unknown name redirects to the website of the program.',
      'x-required-scope': 'open',
      security: [],
      parameters: [
        parameter('program', 'The slug of the program.', 'fern-and-field'),
        parameter('name', 'A referral code or a vanity slug.', 'ada'),
        ...query,
      ],
      responses: redirected,
    },
  },
];
