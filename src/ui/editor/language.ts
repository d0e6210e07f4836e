import { client } from "../../timeline/client.ts";
import type { FieldHelp, Suggestion } from "../../worker/protocol.ts";
import { monaco } from "./monaco-setup.ts";

const KINDS: Readonly<Record<Suggestion["kind"], monaco.languages.CompletionItemKind>> = {
  field: monaco.languages.CompletionItemKind.Field,
  item: monaco.languages.CompletionItemKind.Struct,
  value: monaco.languages.CompletionItemKind.EnumMember,
  name: monaco.languages.CompletionItemKind.Reference,
  kind: monaco.languages.CompletionItemKind.Class,
};

function rangeOf(model: monaco.editor.ITextModel, from: number, to: number): monaco.IRange {
  return monaco.Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to));
}

/** Monaco counts a line's end as the model has it; the worker is asked about the text with plain line feeds. */
const offsetIn = (model: monaco.editor.ITextModel, position: monaco.IPosition): number => model.getValueInRange({ startLineNumber: 1, startColumn: 1, endLineNumber: position.lineNumber, endColumn: position.column }, monaco.editor.EndOfLinePreference.LF).length;

const completion: monaco.languages.CompletionItemProvider = {
  triggerCharacters: [" ", ":", "-", "[", "{", ","],
  async provideCompletionItems(model, position) {
    const { from, to, items } = await client.suggest(model.getValue(monaco.editor.EndOfLinePreference.LF), offsetIn(model, position));
    return {
      suggestions: items.map((item, i): monaco.languages.CompletionItem => ({
        label: { label: item.label, description: item.detail },
        kind: KINDS[item.kind],
        detail: item.detail,
        documentation: item.info,
        insertText: item.insert,
        insertTextRules: monaco.languages.CompletionItemInsertTextRule.KeepWhitespace,
        sortText: String(i).padStart(4, "0"),
        range: rangeOf(model, from, to),
        ...(item.more ? { command: { id: "editor.action.triggerSuggest", title: "Suggest" } } : {}),
        ...(item.also ? { additionalTextEdits: [{ range: rangeOf(model, item.also.from, item.also.to), text: item.also.insert }] } : {}),
      })),
    };
  },
};

/** Names and types are code; sentences are ours and need no escape. */
function markdownOf({ path, object, type, required, values, default: preset, about }: FieldHelp): string[] {
  const head = `**${path}**${object === "" ? "" : ` of ${object}`}`;
  const facts = [`\`${type}\`${required ? ", required" : ""}`, values.length > 0 ? `one of ${values.map((value) => `\`${value === "" ? '""' : value}\``).join(", ")}` : "", preset === undefined ? "" : `default \`${preset}\``];
  return [head, facts.filter((fact) => fact !== "").join("; "), about.join(" ")].filter((part) => part !== "");
}

const hover: monaco.languages.HoverProvider = {
  async provideHover(model, position) {
    const help = await client.fieldHelp(model.getValue(monaco.editor.EndOfLinePreference.LF), offsetIn(model, position));
    return help && { range: rangeOf(model, help.from, help.to), contents: markdownOf(help).map((value) => ({ value })) };
  },
};

let registered = false;

/** Completion and hover for manifests; the answers come from the worker, so that the page needs no schema. */
export function registerLanguage(): void {
  if (registered) return;
  registered = true;
  monaco.languages.registerCompletionItemProvider("yaml", completion);
  monaco.languages.registerHoverProvider("yaml", hover);
}
