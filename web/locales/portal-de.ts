import { toTexts } from './to-texts.ts';

export const texts = toTexts(import.meta.glob(['./de/portal*.json', './de/{shell,ui,security}.json'], { eager: true, import: 'default' }));
