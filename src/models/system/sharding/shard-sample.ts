/** Collects the sample of a simulation, document by document. Pure. */
import { type Column, numberColumn, textColumn } from './shard-key-space.js';
import type { Sample } from './shard-simulation.js';

/** The columns of a document, by name. */
type SampledDocument = Readonly<Record<string, number | string>>;

/** Holds each distinct text once, and a number of eight or four bytes per document and column. */
export class SampleBuilder {
  readonly #numbers: ReadonlyMap<string, Float64Array>;
  readonly #texts: ReadonlyMap<string, { readonly places: Uint32Array; readonly known: Map<string, number> }>;
  #documents = 0;

  /** @param numbers names of number columns @param texts names of text columns @param documentsMax maximum number of documents */
  constructor(numbers: readonly string[], texts: readonly string[], documentsMax: number) {
    this.#numbers = new Map(numbers.map((name) => [name, new Float64Array(documentsMax)]));
    this.#texts = new Map(
      texts.map((name) => [name, { places: new Uint32Array(documentsMax), known: new Map<string, number>() }]),
    );
  }

  /** Call it with the latest document first. */
  add(document: SampledDocument): void {
    for (const [name, column] of this.#numbers) column[this.#documents] = Number(document[name]);
    for (const [name, { places, known }] of this.#texts) {
      const text = String(document[name]);
      let place = known.get(text);
      if (place === undefined) {
        place = known.size;
        known.set(text, place);
      }
      places[this.#documents] = place;
    }
    this.#documents += 1;
  }

  /** Returns the documents in order of arrival. Ends the collection. */
  build(): Sample {
    const inOrder = <T extends Float64Array | Uint32Array>(column: T) => column.subarray(0, this.#documents).reverse();
    const numbers = new Map([...this.#numbers].map(([name, values]) => [name, inOrder(values) as Float64Array]));
    const columns = new Map<string, Column>();
    for (const [name, values] of numbers) if (name !== 'writes') columns.set(name, numberColumn(values));
    for (const [name, { places, known }] of this.#texts) {
      columns.set(name, textColumn([...known.keys()], inOrder(places) as Uint32Array));
    }
    return {
      documents: this.#documents,
      columns,
      times: numbers.get('time') ?? null,
      writes: numbers.get('writes') ?? null,
    };
  }
}
