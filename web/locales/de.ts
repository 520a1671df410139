import { toTexts } from './to-texts.ts';

export const texts = toTexts(import.meta.glob('./de/*.json', { eager: true, import: 'default' }));
