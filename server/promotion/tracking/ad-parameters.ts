/**
 * The parameters that Google, Microsoft and Yandex add to the address of an ad, and nowhere else. Their values identify a
 * click of the network, so only their names are stored.
 */
export const adParameters = ['gclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'msclkid', 'yclid'] as const;
type AdParameter = (typeof adParameters)[number];

/** The first parameter of a query that marks an ad, or null. */
export function findAdParameter(query: Readonly<Record<string, unknown>>): AdParameter | null {
  return adParameters.find((name) => Boolean(query[name])) ?? null;
}
