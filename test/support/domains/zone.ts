// Name servers for tests: the records of each name, and whether they answer.
import type { DnsRecordType } from '../../../server/platform/lib/network/dns.ts';
import type { Answer, TestProgram, TestService } from '../harness.ts';

export const targetHost = 'affiliates.test';
export const environment = { DOMAIN_TARGETS: targetHost };

export type Zone = {
  set(name: string, type: DnsRecordType, values: string[]): void;
  /** Creates the records that a domain of the program needs. */
  point(host: string, program: TestProgram): void;
  /** Adds a domain with its records, and checks it. */
  activate(host: string, purpose: string, program?: TestProgram): Promise<Answer['body']>;
  isDown: boolean;
};

/** Replaces the name servers of the service, which must run with `environment`. */
export function openZone(service: TestService): Zone {
  const records = new Map([[`${targetHost} A`, ['203.0.113.10']]]);
  service.ctx.findDnsRecords = async (name, type) => {
    if (zone.isDown) throw new Error('no answer');
    return records.get(`${name} ${type}`) ?? [];
  };
  const zone: Zone = {
    isDown: false,
    set: (name, type, values) => void records.set(`${name} ${type}`, values),
    point(host, { programId }) {
      zone.set(host, 'CNAME', [targetHost]);
      zone.set(`_tributary.${host}`, 'TXT', [`program=${programId}`]);
    },
    async activate(host, purpose, program = service.program) {
      zone.point(host, program);
      const { path, key } = program;
      const created = await service.request('POST', `${path}/domains`, { body: { host, purpose }, key });
      const { body } = await service.request('POST', `${path}/domains/${created.body.id}/check`, { key });
      service.clock.advance({ seconds: 2 });
      return body;
    },
  };
  return zone;
}
