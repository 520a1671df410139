// Asks before something that can't be undone. Where it destroys, the name has to be typed.
import { onDemand } from './on-demand.tsx';

export const Confirm = onDemand(async () => (await import('./content/confirm-panel.tsx')).ConfirmPanel);
