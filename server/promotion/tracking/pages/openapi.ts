// The public links in the API reference: they are served without endpoint declarations.
import type { InboundOperation } from '../../../platform/http/openapi/document.ts';

const redirected = {
  302: {
    description: 'Always, even if the click is not recorded or the link does not exist.',
    headers: {
      Location: {
        description: 'The destination, with the click id in the `trb_click` parameter.',
        schema: { type: 'string', format: 'uri' },
      },
    },
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
    description: "A deep link: the page of the program's website to redirect to instead of its home page.",
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
        'Records the click and redirects the visitor. Without a program in the path, a vanity slug belongs permanently to the ' +
        'first program that used it.',
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
        'Same as `/r/{name}`, for a referral code or vanity slug of the given program. An unknown code or slug redirects to the ' +
        "program's website.",
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
