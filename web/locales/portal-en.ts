import { toTexts } from './to-texts.ts';

export const texts = toTexts(import.meta.glob(['./en/portal*.json', './en/{shell,ui,security}.json'], { eager: true, import: 'default' }));
