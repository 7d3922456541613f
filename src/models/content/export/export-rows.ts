/**
 * The rows of an export: each version of each node below a node, in the order in which an import needs them: a parent before what is below
 * it, a version before the next one, a picture before the first version that shows it. Redirects come last, because they may lead
 * anywhere. Siblings are in the order of their slugs, so that the export of an import is the same file.
 */
import type { Db } from 'mongodb';
import { findAsset } from '../../system/assets/asset.js';
import { FileGoneError } from '../../system/assets/asset-file.js';
import { type ExportLine, toLine } from '../../system/work/export-file.js';
import { asVersion, type VersionDocument, versions } from '../nodes/node-version.js';
import { findPreviousPath } from './export-paths.js';
import { type PicturePosition, readPicture } from './export-picture.js';
import { beginRedirects, type RedirectPosition, readRedirects } from './export-redirects.js';
import { beginWalk, type Frame, type WalkedNode, walkFrom } from './export-walk.js';
import { versionRow } from './version-row.js';

export interface ExportPosition {
  readonly frames: readonly Frame[];
  /** The node whose versions are being written, and the last one that is. */
  readonly node?: { readonly id: string; readonly version: number };
  /** The picture that is being written: the next version shows it. */
  readonly picture?: PicturePosition;
  /** The pictures that were shown last. Those that have left this list are written again when they are shown again. */
  readonly pictures?: readonly string[];
  /** Once all nodes are written. */
  readonly redirects?: RedirectPosition;
}

const VERSIONS_AT_ONCE = 20;
/** They are stored with each step, which has a mebibyte of the file. A version may show half as many. */
const PICTURES_REMEMBERED = 1000;

/** Reads an export line by line. What it has in memory does not grow with the export. */
export class ExportReader {
  #position: ExportPosition;

  /** @param root the node below which all is exported, or `ROOT` @param from null: from the beginning */
  constructor(
    private readonly db: Db,
    private readonly root: string,
    from: ExportPosition | null,
  ) {
    this.#position = from ?? { frames: beginWalk(root) };
  }

  /** After the line that was read last. */
  get position(): ExportPosition {
    return this.#position;
  }

  async *lines(): AsyncGenerator<ExportLine, undefined> {
    if (!this.#position.redirects) {
      for await (const walked of walkFrom(this.db, this.#position)) yield* this.#linesOfNode(walked);
    }
    const from = this.#position.redirects ?? beginRedirects(this.root);
    for await (const { row, position } of readRedirects(this.db, this.root, from)) {
      this.#position = { frames: [], redirects: position };
      yield toLine(row);
    }
  }

  async *#linesOfNode({ node, path, frames }: WalkedNode): AsyncGenerator<ExportLine> {
    if (this.#position.node?.id !== node._id)
      this.#move({ frames, node: { id: node._id, version: 0 }, picture: undefined });
    for await (const { version, previous } of this.#versionsOf(node._id)) {
      yield* this.#linesOfPictures(version);
      const previousPath = previous
        ? await findPreviousPath(this.db, this.root, { path, node, version: previous })
        : undefined;
      this.#move({ node: { id: node._id, version: version.version } });
      yield toLine(versionRow(node, version, path, previousPath));
    }
  }

  /** Those that are not written, each with the one before it. */
  async *#versionsOf(
    node: string,
  ): AsyncGenerator<{ version: VersionDocument; previous: VersionDocument | undefined }> {
    const written = this.#position.node?.version ?? 0;
    let previous: VersionDocument | undefined;
    for (let last = written; ; last = previous?.version ?? last) {
      const batch = await versions(this.db)
        .find({ '_id.node': node, version: previous ? { $gt: last } : { $gte: last } })
        .sort({ version: 1 })
        .limit(VERSIONS_AT_ONCE)
        .map(asVersion)
        .toArray();
      for (const version of batch) {
        if (version.version > written) yield { version, previous };
        previous = version;
      }
      if (batch.length < VERSIONS_AT_ONCE) return;
    }
  }

  /** The pictures that a version shows and that were not written lately. */
  async *#linesOfPictures({ asset_ids }: VersionDocument): AsyncGenerator<ExportLine> {
    if (asset_ids.length === 0) return;
    const remembered = new Set(this.#position.pictures);
    for (const id of asset_ids.filter((each) => !remembered.has(each))) {
      const asset = await findAsset(this.db, id);
      const { picture } = this.#position;
      const begin = picture?.id === id ? picture.from : null;
      if (!asset) continue; // its node was removed for good in the meantime
      try {
        for await (const { row, position } of readPicture(this.db, asset, begin)) {
          this.#move({ picture: position });
          yield toLine(row, position.from === 0);
        }
      } catch (error) {
        if (!(error instanceof FileGoneError)) throw error; // so was that of this one: an import rejects it
      }
      this.#remember([id]);
    }
    this.#remember(asset_ids);
  }

  #remember(ids: readonly string[]): void {
    const others = (this.#position.pictures ?? []).filter((id) => !ids.includes(id));
    this.#move({ picture: undefined, pictures: [...ids, ...others].slice(0, PICTURES_REMEMBERED) });
  }

  #move({
    picture,
    ...change
  }: Omit<Partial<ExportPosition>, 'picture'> & { picture?: PicturePosition | undefined }): void {
    const { picture: _, ...kept } = this.#position;
    this.#position = { ...kept, ...change, ...(picture && { picture }) };
  }
}
