/** The channels of a hub, by id and by their topics. Channels without subscribers linger for a while: clients often reconnect soon. */
import { declaredFeeds } from '../../database/index.js';
import type { Channel } from './channel.js';

export class Channels {
  readonly #lingerMs: number;
  readonly #byId = new Map<string, Channel>();
  readonly #byTopic = new Map<string, Set<Channel>>();
  /** Channels without subscribers, longest idle first. */
  readonly #leaving = new Map<Channel, { readonly timer: NodeJS.Timeout; readonly leave: () => void }>();

  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs;
  }

  get size(): number {
    return this.#byId.size;
  }

  get all(): readonly Channel[] {
    return [...this.#byId.values()];
  }

  onTopic(topic: string): Iterable<Channel> {
    return this.#byTopic.get(topic) ?? [];
  }

  /** The channel with this id, which no longer counts as idle. */
  find(id: string): Channel | undefined {
    const channel = this.#byId.get(id);
    if (channel) this.#keep(channel);
    return channel;
  }

  add(channel: Channel): void {
    this.#byId.set(channel.id, channel);
    for (const topic of channel.topics) this.#addTo(topic, channel);
  }

  /** A channel has other topics than before. */
  topicsChanged(channel: Channel, before: ReadonlySet<string>): void {
    if (this.#byId.get(channel.id) !== channel) return; // it was removed while it read its state
    for (const topic of before) if (!channel.topics.has(topic)) this.#removeFrom(topic, channel);
    for (const topic of channel.topics) if (!before.has(topic)) this.#addTo(topic, channel);
  }

  /** It has no subscribers: removes it after a while. @param gone called then */
  release(channel: Channel, gone: () => void): void {
    this.#keep(channel);
    const leave = () => {
      this.#leaving.delete(channel);
      channel.close();
      this.#byId.delete(channel.id);
      for (const topic of channel.topics) this.#removeFrom(topic, channel);
      gone();
    };
    this.#leaving.set(channel, { timer: setTimeout(leave, this.#lingerMs).unref(), leave });
  }

  /** Removes idle channels, longest idle first, until `isEnough`. */
  dropIdle(isEnough: () => boolean): void {
    for (const { timer, leave } of [...this.#leaving.values()]) {
      if (isEnough()) return;
      clearTimeout(timer);
      leave();
    }
  }

  /** The channels whose feeds read a collection. */
  ofCollection(name: string): Channel[] {
    const feeds = declaredFeeds().filter(({ collections }) => collections.some((each) => each.collectionName === name));
    return this.all.filter(({ id }) => feeds.some((feed) => id.startsWith(`${feed.name}\0`)));
  }

  close(): void {
    for (const { timer } of this.#leaving.values()) clearTimeout(timer);
    for (const channel of this.all) channel.close();
  }

  #addTo(topic: string, channel: Channel): void {
    const others = this.#byTopic.get(topic);
    if (others) others.add(channel);
    else this.#byTopic.set(topic, new Set([channel]));
  }

  #removeFrom(topic: string, channel: Channel): void {
    const others = this.#byTopic.get(topic);
    others?.delete(channel);
    if (others?.size === 0) this.#byTopic.delete(topic);
  }

  #keep(channel: Channel): void {
    clearTimeout(this.#leaving.get(channel)?.timer);
    this.#leaving.delete(channel);
  }
}
