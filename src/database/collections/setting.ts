/** Settings stored in the database: one collection, in which each setting is a document with its own fields. */
import { type CollectionDeclaration, defineCollection } from './collection.js';

interface SettingDocument {
  _id: string;
}

export const settings = defineCollection<SettingDocument>('settings');

/** The collection, typed for the owner of one setting: every query names the `_id` of that setting. */
export const settingsOf = <T extends SettingDocument>() => settings as unknown as CollectionDeclaration<T>;
