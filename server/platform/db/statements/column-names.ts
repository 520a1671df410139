// Columns are snake_case in SQL and camelCase in code. Results get their names once, where they are read
// (statement-group.ts), instead of once more for each row.
import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

class ColumnNames extends CamelCasePlugin {
  toCode(column: string): string {
    return this.camelCase(column);
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

/** For connections of `Sender`. */
export const columnNames = new ColumnNames({ maintainNestedObjectKeys: true });
