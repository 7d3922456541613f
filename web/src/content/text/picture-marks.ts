/** Marks in the text where pictures are being uploaded. They move along while the user goes on typing around them. */
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { nameOfFile } from '../data/pictures.js';

interface Mark {
  readonly key: number;
  readonly name: string;
  /** 0 to 1. */
  readonly progress: number;
}

const addMark = StateEffect.define<Mark & { readonly at: number }>({
  map: (mark, changes) => ({ ...mark, at: changes.mapPos(mark.at) }),
});
const changeMark = StateEffect.define<Pick<Mark, 'key' | 'progress'>>();
const removeMark = StateEffect.define<number>();

class MarkWidget extends WidgetType {
  constructor(readonly mark: Mark) {
    super();
  }

  override eq({ mark }: MarkWidget): boolean {
    return mark.key === this.mark.key && mark.progress === this.mark.progress;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'picture-mark';
    this.updateDOM(element);
    return element;
  }

  override updateDOM(element: HTMLElement): boolean {
    const { name, progress } = this.mark;
    element.textContent = `Uploading ${name} … ${Math.round(100 * progress)}%`;
    element.style.setProperty('--progress', String(progress));
    return true;
  }
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    let set = before.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(addMark)) {
        const { at, ...mark } = effect.value;
        set = set.update({ add: [decorationOf(mark).range(at)] });
      } else if (effect.is(changeMark)) {
        const { key, progress } = effect.value;
        const found = find(set, key);
        if (found) {
          set = set.update({ filter: (_from, _to, { spec }) => spec.mark.key !== key });
          set = set.update({ add: [decorationOf({ ...found.mark, progress }).range(found.at)] });
        }
      } else if (effect.is(removeMark)) {
        set = set.update({ filter: (_from, _to, { spec }) => spec.mark.key !== effect.value });
      }
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const decorationOf = (mark: Mark) => Decoration.widget({ widget: new MarkWidget(mark), mark, side: 1 });

function find(set: DecorationSet, key: number): { readonly at: number; readonly mark: Mark } | null {
  for (let cursor = set.iter(); cursor.value; cursor.next()) {
    const { mark } = cursor.value.spec as { mark: Mark };
    if (mark.key === key) return { at: cursor.from, mark };
  }
  return null;
}

const whereIs = (state: EditorState, key: number): number | null => find(state.field(marks), key)?.at ?? null;

export const pictureMarks: Extension = marks;

let keys = 0;

/**
 * Uploads a picture, marked in the text, and puts `![name](asset:…)` in the place of the mark.
 * @param upload resolves to the id of the asset, or null if it failed, which the caller shows
 */
export async function insertPicture(
  view: EditorView,
  file: File,
  at: number,
  upload: (file: File, onProgress: (progress: number) => void) => Promise<string | null>,
): Promise<void> {
  keys += 1;
  const key = keys;
  view.dispatch({ effects: addMark.of({ key, name: file.name, progress: 0, at }) });
  const id = await upload(file, (progress) => view.dispatch({ effects: changeMark.of({ key, progress }) }));
  const place = whereIs(view.state, key);
  if (place === null) return;
  const effects = removeMark.of(key);
  view.dispatch(
    id === null
      ? { effects }
      : { effects, changes: { from: place, insert: pictureText(view.state, place, file.name, id) } },
  );
}

/** A picture stands on a line of its own. */
function pictureText(state: EditorState, at: number, fileName: string, id: string): string {
  const line = state.doc.lineAt(at);
  const before = at > line.from ? '\n\n' : '';
  const after = at < line.to ? '\n\n' : '\n';
  return `${before}![${nameOfFile(fileName)}](asset:${id})${after}`;
}
