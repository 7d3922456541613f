/** What a database remembers of itself: one collection, in which each setting is a document of its own form. */
import { type CollectionDeclaration, defineCollection } from './collection.js';

interface SettingDocument {
  _id: string;
}

const settings = defineCollection<SettingDocument>('settings');

/** The collection, as whoever owns a setting sees it: every query names the `_id` of that setting. */
export const settingsOf = <T extends SettingDocument>() => settings as unknown as CollectionDeclaration<T>;
