// The location of a data folder's database, and the account that runs it. Usually everything is in the data folder. As
// root, the database runs under another account, which may be unable to enter that folder (a checkout in a home with mode
// 700). The database is then in /var/lib/tributary, and a text file in the data folder contains its path.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Account, canTraverse, isRoot, ownerOf, systemAccount } from './account.ts';

export type DatabaseLocation = {
  /** The data folder as the user specified it, for messages. */
  shownAs: string;
  clusterDir: string;
  logFile: string;
  /** Null if the database runs under the account of this process. */
  account: Account | null;
  /** The folder for a private copy of the PostgreSQL binaries. */
  copyParent: string;
};

const rootHome = '/var/lib/tributary';

/** Finds the location of the database, or chooses one for a new data folder. Creates the data folder. */
export function findLocation(dataDir: string): DatabaseLocation {
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
  const pointerFile = path.join(dataDir, 'postgres-location');
  const recorded = readPointer(pointerFile);
  if (recorded) return recorded;
  if (!isRoot() || canTraverse(systemAccount(), dataDir)) return here;
  return chooseExternalFolder(dataDir, pointerFile);
}

function chooseExternalFolder(dataDir: string, pointerFile: string): string {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  // An existing folder belongs to a data folder that was deleted. A new data folder starts empty, and old data is never
  // deleted automatically, so a free name is chosen.
  const names = [digest, ...Array.from({ length: 1000 }, (_, index) => `${digest}-${index + 2}`)];
  const free = names.find((name) => !fs.existsSync(path.join(rootHome, name, 'postgres'))) ?? digest;
  const clusterDir = path.join(rootHome, free, 'postgres');
  fs.mkdirSync(path.dirname(clusterDir), { recursive: true });
  const draft = `${pointerFile}.${process.pid}`;
  fs.writeFileSync(draft, `${clusterDir}\n`);
  try {
    // A link is created atomically, and by only one of two concurrent processes.
    fs.linkSync(draft, pointerFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return readPointer(pointerFile) ?? clusterDir;
}

function readPointer(pointerFile: string): string | null {
  if (!fs.existsSync(pointerFile)) return null;
  const text = fs.readFileSync(pointerFile, 'utf8').trim();
  return path.isAbsolute(text) ? text : null;
}

function rootAccount(clusterDir: string): Account {
  const owner = ownerOf(clusterDir);
  if (owner && owner.uid !== 0) return owner;
  if (owner && fs.existsSync(path.join(clusterDir, 'PG_VERSION'))) {
    const { uid, gid } = systemAccount();
    throw new Error(
      `The database in ${clusterDir} belongs to root, which PostgreSQL does not allow. Run: chown -R ${uid}:${gid} ${clusterDir}`,
    );
  }
  return systemAccount();
}
