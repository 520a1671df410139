// Sends the statements of one connection. Those that one turn of the event loop starts leave together: apart, each would cost
// a system call on both sides, and wake both processes up.
import pg from 'pg';
import { type Result, type Sending, StatementGroup } from './statement-group.ts';

// `pg` does not declare how it writes values.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

export class Sender {
  readonly client: pg.PoolClient;
  #waiting: Sending[] = [];
  #isSending = false;
  /** Whether the connection failed, so that it can't be used again. */
  isBroken = false;
  /** Whether what is sent next belongs to a transaction. The client's own status is that of the last response. */
  isInTransaction = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** Resolves with the result of the statement, or rejects with its error or that of a statement sent together with it. */
  send({ text, name, values }: Pick<Sending, 'text' | 'name' | 'values'>): Promise<Result> {
    if (text === 'begin') this.isInTransaction = true;
    if (text === 'commit' || text === 'rollback') this.isInTransaction = false;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, name, values: values.map(prepareValue), resolve, reject });
      if (this.#waiting.length === 1 && !this.#isSending) this.#schedule();
    });
  }

  /** After all promises that this turn settles, and so after the statements that they start. */
  #schedule(): void {
    queueMicrotask(() => process.nextTick(() => this.#sendWaiting()));
  }

  #sendWaiting(): void {
    const statements = this.#waiting;
    this.#waiting = [];
    this.#isSending = true;
    const getParser = (type: number) => this.client.getTypeParser(type, 'text');
    const onEnd = (error?: unknown) => {
      this.#isSending = false;
      if (error && !(error instanceof pg.DatabaseError)) this.isBroken = true;
      if (this.#waiting.length > 0) this.#schedule();
    };
    this.client.query(new StatementGroup(statements, { getParser, onEnd }) as unknown as pg.Submittable);
  }
}
