// Which versions of Citus the service can use.

const leak = 'its cache of plans grows by 31 kB with every statement until a node is out of memory';

const faulty: { versions: RegExp; why: string }[] = [
  { versions: /^13\.2\.0$/, why: 'an array slice in an update ends the coordinator' },
  { versions: /^13\.2\.[12]$/, why: `${leak}, and an array slice in an update ends the coordinator` },
  { versions: /^14\.0(\.|$)/, why: `${leak}, and an array slice in an update ends the coordinator` },
  { versions: /^12\./, why: `${leak} in its last releases` },
];

const tested = /^13\.1\./;

/** Whether the service runs on this version, with the reason if it doesn't or hasn't been tested. */
export function judgeVersion(version: string): { isGood: boolean; finding: string } {
  const fault = faulty.find(({ versions }) => versions.test(version));
  if (fault) return { isGood: false, finding: `Citus ${version} can't be used: ${fault.why}. Use 13.1` };
  return { isGood: true, finding: tested.test(version) ? `Citus ${version}` : `Citus ${version}, not tested: 13.1 is` };
}
