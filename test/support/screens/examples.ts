import type { TestProgram, TestService } from '../harness.ts';

/** The parameters of screens that show one thing: an id of each kind from a program with data. */
export async function findExamples(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const firstOf = async (noun: string, query: string): Promise<string> => {
    const { body } = await service.request('GET', `${program.path}/${noun}?limit=1&${query}`, { key: program.key });
    return body[noun][0].id;
  };
  return {
    affiliateId: await firstOf('affiliates', 'status=active'),
    conversionId: await firstOf('conversions', 'status=approved'),
  };
}
