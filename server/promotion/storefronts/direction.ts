const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u;

/** Whether a page with this title is laid out from the right: its first letter decides. */
export function isRightToLeft(title: string): boolean {
  const [first = ''] = /\p{L}/u.exec(title) ?? [];
  return rightToLeft.test(first);
}
