// The functions of a source file with their lengths, at every depth: handlers of endpoints, callbacks and tests too.
import ts from 'typescript';

export type MeasuredFunction = { path: string; name: string; lines: number; isComponent: boolean };

/** Functions that have a body. A suite (`describe`) is left out: it groups tests, which are measured one by one. */
export function functionsOf(path: string, text: string): MeasuredFunction[] {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: MeasuredFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isSuite(node)) {
      const name = nameOf(node);
      const from = lineOf(node.getStart(source));
      const isComponent = path.endsWith('.tsx') && /^[A-Z]/.test(name);
      found.push({ path: `${path}:${from}`, name, lines: lineOf(node.end) - from + 1, isComponent });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Its own name, the variable or property that holds it, or the function it is passed to. */
function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return ts.isCallExpression(parent) ? `${parent.expression.getText()}(…)` : 'anonymous';
}

function isSuite({ parent }: ts.SignatureDeclaration): boolean {
  return ts.isCallExpression(parent) && parent.expression.getText() === 'describe';
}
