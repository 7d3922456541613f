/**
 * The zones in which this process decides. Each decision reads the version of its zone, by key, and only another version than the cached
 * one is read whole: a zone of a thousand ads takes 15 ms of a core to read, and 50 ms if the ads have keywords.
 * So a decision shows what is stored when it begins, and nothing has to be announced between processes. Only a process of an earlier
 * release changes a zone without a new version: a minute later, its change is seen nevertheless.
 */
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { MINUTE_MS } from '../../../shared/time.js';
import { findZone, findZoneVersion, type ZoneDocument } from './zone.js';

const BYTES_MAX = 67_108_864;
/** Generous: 1,070 and 150 were measured, 2,900 for an ad with the longest texts, none of them Latin. */
const BYTES_PER_AD = 3500;
const BYTES_PER_KEYWORD = 400;

const bytesOf = ({ ads }: ZoneDocument): number =>
  BYTES_PER_AD + ads.reduce((total, { keywords }) => total + BYTES_PER_AD + BYTES_PER_KEYWORD * keywords.length, 0);

export class ZoneCache {
  readonly #zones = new LRUCache<string, ZoneDocument>({
    maxSize: BYTES_MAX,
    sizeCalculation: bytesOf,
    ttl: MINUTE_MS,
  });
  /** By id and version: what is being read. */
  readonly #reading = new Map<string, Promise<ZoneDocument | null>>();

  constructor(private readonly db: Db) {}

  /** What the cached zones take, about. */
  get bytes(): number {
    return this.#zones.calculatedSize;
  }

  /** As it is stored at this moment. Shared: do not change it. */
  async find(id: string): Promise<ZoneDocument | null> {
    const found = await findZoneVersion(this.db, id);
    if (!found) {
      this.#zones.delete(id);
      return null;
    }
    const { version } = found;
    if (version === undefined) return findZone(this.db, id);
    const cached = this.#zones.get(id);
    return cached?.version === version ? cached : this.#readOnce(id, version);
  }

  /** Many decisions at once notice the same change: one of them reads. It had seen this version, so it finds this one or a later one. */
  #readOnce(id: string, version: string): Promise<ZoneDocument | null> {
    const key = `${id} ${version}`;
    const reading = this.#reading.get(key) ?? this.#read(id).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(id: string): Promise<ZoneDocument | null> {
    const zone = await findZone(this.db, id);
    if (zone) this.#zones.set(id, zone);
    return zone;
  }
}
