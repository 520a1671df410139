// Loaded with `--import`: stops this process when its parent was killed.
import { isMainThread } from 'node:worker_threads';
import { watchParent } from './run.mjs';

if (isMainThread) watchParent(() => process.kill(process.pid, 'SIGTERM'));
