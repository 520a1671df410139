// Runs a child process in the foreground: same terminal, same signals, same exit.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 1000;

/**
 * Runs a program until it ends, and then ends this process the same way (exit code or signal).
 *
 * The child has an IPC channel: when this process is killed with SIGKILL, the child receives 'disconnect' and can stop.
 * (A listener keeps the child's event loop alive; a child that ends on its own calls process.channel?.unref().)
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, watchParent?: boolean }} [options]
 */
export function runInForeground(program, args, options = {}) {
  const child = spawn(program, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: options.env ?? process.env,
  });
  // Each signal is forwarded once, because the terminal also sends Ctrl-C to the child.
  const sent = new Set();
  for (const signal of forwarded) {
    process.on(signal, () => {
      if (sent.has(signal)) return;
      sent.add(signal);
      child.kill(signal);
    });
  }
  const watch = options.watchParent ? watchParent(() => child.kill('SIGTERM')) : undefined;

  child.once('error', (error) => {
    process.stderr.write(`Could not run ${program}: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    clearInterval(watch);
    if (signal === null) process.exit(code ?? 1);
    for (const each of forwarded) process.removeAllListeners(each);
    process.kill(process.pid, signal);
    // For signals that do not end this process: the shell's convention for an exit by signal.
    setTimeout(() => process.exit(128 + (os.constants.signals[signal] ?? 0)), 100);
  });
}

/**
 * Calls `onGone` once when this process gets another parent: if npm is killed with SIGKILL, nothing else ends what it started.
 *
 * @param {() => void} onGone
 */
export function watchParent(onGone) {
  const original = ancestry();
  const timer = setInterval(() => {
    if (ancestry() === original) return;
    clearInterval(timer);
    onGone();
  }, parentCheckMs);
  timer.unref();
  return timer;
}

/** The parent, and its parent if the parent is npm's shell. */
function ancestry() {
  try {
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const nameEnd = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
    const grandparent = stat.slice(nameEnd + 2).split(' ')[1];
    return /^(ba|da|a|z)?sh$|^busybox$/.test(name) ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
}
