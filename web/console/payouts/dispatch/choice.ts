// What the user chose in the sheet.

export type DispatchChoice = {
  /** Affiliates who are left out of this batch. */
  excepted: ReadonlySet<string>;
  /** Null: the default payout provider. */
  providerId: string | null;
  note: string;
};

export const noChoice: DispatchChoice = { excepted: new Set(), providerId: null, note: '' };
