// Every place that names the version of the release beside package.json.

/** `pattern` matches what precedes the version, as its first group, and the version, as its second. */
export const versionPlaces: readonly { file: string; pattern: RegExp }[] = [
  { file: 'package-lock.json', pattern: /^(\{\n {2}"name": "tributary",\n {2}"version": ")([\d.]+)/ },
  { file: 'package-lock.json', pattern: /("packages": \{\n {4}"": \{\n {6}"name": "tributary",\n {6}"version": ")([\d.]+)/ },
  { file: 'sdk/package.json', pattern: /("version": ")([\d.]+)/ },
  { file: 'deploy/helm/tributary/Chart.yaml', pattern: /(^version: )([\d.]+)/m },
  { file: 'deploy/helm/tributary/Chart.yaml', pattern: /(^appVersion: )([\d.]+)/m },
  { file: 'compose.yaml', pattern: /(image: tributary:)([\d.]+)/ },
];
