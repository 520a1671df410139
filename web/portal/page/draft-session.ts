// Saves the draft while the affiliate types: one request at a time, with what differs from the last one. Unsaved words are
// also kept on this device. Another window's version is never overwritten unasked.
import { call } from '../../api/call.ts';
import { RequestError } from '../../api/errors.ts';
import { type Changes, type Content, changesOf, contains, isEmpty, keepCopy, readCopy, type SaveState } from './draft-state.ts';

type Saved = { version: number; content: Content; savedAt: string | null };

export type Snapshot = { content: Content; state: SaveState; savedAt: string | null; version: number };

export class DraftSession {
  readonly #programId: string;
  readonly #notify: (snapshot: Snapshot) => void;
  #saved: Saved;
  #content: Content;
  #state: SaveState;
  #running: Promise<boolean> | null = null;

  constructor(programId: string, draft: Saved, notify: (snapshot: Snapshot) => void) {
    const unsaved = readCopy(storageOf(), programId, draft.version);
    this.#programId = programId;
    this.#notify = notify;
    this.#saved = draft;
    this.#content = { ...draft.content, ...unsaved };
    this.#state = isEmpty(unsaved) ? 'saved' : 'waiting';
  }

  get snapshot(): Snapshot {
    return { content: this.#content, state: this.#state, savedAt: this.#saved.savedAt, version: this.#saved.version };
  }

  /** What was typed and not saved yet. */
  get #unsaved(): Changes {
    return changesOf(this.#saved.content, this.#content);
  }

  change(changes: Changes): void {
    this.#content = { ...this.#content, ...changes };
    this.#keep();
    this.#show(this.#state === 'outdated' ? 'outdated' : 'waiting');
  }

  /** Saves everything that is unsaved; false if that isn't possible now. */
  async flush(): Promise<boolean> {
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = null;
    });
    const isSaved = await this.#running;
    // Words that were typed after the last request started.
    return isSaved && !isEmpty(this.#unsaved) ? this.flush() : isSaved;
  }

  /** After `outdated`: shows the other window's version, or saves this one over it. */
  async resolve(choice: 'load' | 'keep'): Promise<void> {
    const unsaved = choice === 'keep' ? this.#unsaved : {};
    const { draft } = await call('portalPage.get', { path: { programId: this.#programId } });
    this.adopt(draft, unsaved);
    await this.flush();
  }

  /** Shows another version: after submitting or discarding. */
  adopt(draft: Saved, unsaved: Changes = {}): void {
    this.#saved = draft;
    this.#content = { ...draft.content, ...unsaved };
    this.#keep();
    this.#show(isEmpty(unsaved) ? 'saved' : 'waiting');
  }

  async #saveAll(): Promise<boolean> {
    for (;;) {
      const changes = this.#unsaved;
      if (isEmpty(changes)) {
        this.#show('saved');
        return true;
      }
      this.#show('saving');
      const outcome = await send(this.#programId, this.#saved.version, changes);
      if (typeof outcome === 'string') {
        this.#show(outcome);
        return false;
      }
      this.#saved = { ...outcome, content: { ...this.#saved.content, ...changes } };
      this.#keep();
    }
  }

  #keep(): void {
    keepCopy(storageOf(), this.#programId, { version: this.#saved.version, changes: this.#unsaved });
  }

  #show(state: SaveState): void {
    this.#state = state;
    this.#notify(this.snapshot);
  }
}

type Sent = { version: number; savedAt: string | null } | 'offline' | 'outdated' | 'rejected';

async function send(programId: string, version: number, changes: Changes): Promise<Sent> {
  try {
    return await call('portalPage.save', { path: { programId }, body: { version, ...changes } });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.isTemporary) return 'offline';
    if (error.status !== 412) return 'rejected';
    const { draft } = await call('portalPage.get', { path: { programId } }).catch(() => ({ draft: null }));
    return draft && contains(draft.content, changes) ? { version: draft.version, savedAt: draft.savedAt } : 'outdated';
  }
}

function storageOf(): Storage | null {
  try {
    return localStorage;
  } catch {
    // Storage is turned off.
    return null;
  }
}
