// What the join page of the demo says and asks, and what two applicants answered.
import type { Question } from '../../../partners/applications/settings/question.ts';

const questions: Question[] = [
  {
    id: 'channel',
    kind: 'url',
    label: 'Where would you recommend us?',
    help: 'Your website, newsletter, channel or profile.',
    isRequired: true,
    options: [],
  },
  {
    id: 'role',
    kind: 'choice',
    label: 'What describes you best?',
    help: null,
    isRequired: true,
    options: ['I see patients or clients', 'I create content', 'I recommend to friends'],
  },
  {
    id: 'about',
    kind: 'long_text',
    label: 'Which of our products do you know, and from where?',
    help: null,
    isRequired: false,
    options: [],
  },
];

export const joinForm = {
  intro:
    'We make teas and supplements that are tested batch by batch, and we pay the people who explain them well.\n\n' +
    'Tell us where you would recommend us. A person reads every application, usually within two days.',
  questions,
  terms: [
    'Disclose in every post, page and episode that you earn a commission.',
    'Recommend what you know. Make no medical claims: no product of ours cures, treats or prevents a disease.',
    'Do not bid on our name in search ads, and do not publish your code on coupon sites.',
    'Orders that are cancelled or returned earn nothing. Commissions are paid out after their hold period.',
  ].join('\n\n'),
};

/** By the id of the question. */
export const applicationAnswers: Record<string, string>[] = [
  {
    channel: 'https://slowkitchen.example/letters',
    role: 'I create content',
    about: 'I have drunk the Evening Calm Tea since spring and wrote about it twice, without a link. My letter has 4,200 readers.',
  },
  { channel: 'https://practice-am-see.example/', role: 'I see patients or clients' },
];
