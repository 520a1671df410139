// Where the database of a data folder lives, and who runs it. Normally all of it is inside the data
// folder. As root the database runs under another account, which may not be able to enter that
// folder (a checkout under a mode-700 home); then it lives in /var/lib/tributary and the data folder
// keeps a small text file that says where.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Account, canTraverse, isRoot, ownerOf, systemAccount } from './account.ts';

export type Place = {
  /** The data folder as it was named by the user, for messages. */
  shownAs: string;
  clusterDir: string;
  logFile: string;
  /** Null: the database runs as ourselves. */
  account: Account | null;
  /** Where a private copy of the programs may be kept. */
  copyParent: string;
};

const rootHome = '/var/lib/tributary';

/** Finds (or decides, for a new data folder) the place of the database. Creates the data folder. */
export function findLocation(dataDir: string): Place {
  fs.mkdirSync(dataDir, { recursive: true });
  const real = fs.realpathSync(dataDir);
  const clusterDir = findClusterDir(real);
  const account = isRoot() ? rootAccount(clusterDir) : null;
  const owner = ownerOf(clusterDir);
  if (!account && owner && owner.uid !== process.getuid?.()) {
    throw new Error(
      `The database in ${clusterDir} belongs to another user (uid ${owner.uid}). ` +
        'Run Tributary as that user or as root, or set DATA_DIR to another folder.',
    );
  }
  if (account && !canTraverse(account, path.dirname(clusterDir))) {
    throw new Error(`The database in ${clusterDir} belongs to user ${account.uid}, who cannot enter its parent folders.`);
  }
  return {
    shownAs: dataDir,
    clusterDir,
    logFile: path.join(real, 'postgres.log'),
    account,
    copyParent: account ? rootHome : real,
  };
}

function findClusterDir(dataDir: string): string {
  const here = path.join(dataDir, 'postgres');
  if (fs.existsSync(here)) return here;
  const note = path.join(dataDir, 'postgres-location');
  const noted = readNote(note);
  if (noted) return noted;
  if (!isRoot() || canTraverse(systemAccount(), dataDir)) return here;
  return chooseElsewhere(dataDir, note);
}

function chooseElsewhere(dataDir: string, note: string): string {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  // A folder without a note was the database of a data folder since deleted: whoever deleted that
  // expects an empty one now, and deleting data is not ours to do.
  const names = [digest, ...Array.from({ length: 1000 }, (_, index) => `${digest}-${index + 2}`)];
  const free = names.find((name) => !fs.existsSync(path.join(rootHome, name, 'postgres'))) ?? digest;
  const clusterDir = path.join(rootHome, free, 'postgres');
  fs.mkdirSync(path.dirname(clusterDir), { recursive: true });
  const draft = `${note}.${process.pid}`;
  fs.writeFileSync(draft, `${clusterDir}\n`);
  try {
    // A link appears whole or not at all, and only for one of two processes.
    fs.linkSync(draft, note);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return readNote(note) ?? clusterDir;
}

function readNote(note: string): string | null {
  if (!fs.existsSync(note)) return null;
  const text = fs.readFileSync(note, 'utf8').trim();
  return path.isAbsolute(text) ? text : null;
}

function rootAccount(clusterDir: string): Account {
  const owner = ownerOf(clusterDir);
  if (owner && owner.uid !== 0) return owner;
  if (owner && fs.existsSync(path.join(clusterDir, 'PG_VERSION'))) {
    const { uid, gid } = systemAccount();
    throw new Error(`The database in ${clusterDir} belongs to root, which PostgreSQL refuses. Run: chown -R ${uid}:${gid} ${clusterDir}`);
  }
  return systemAccount();
}
