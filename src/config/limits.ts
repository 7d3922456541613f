/** Limits on requests, operations and connections, and on the memory of realtime delivery. */
import { whole } from './values.js';

export const limitSettings = {
  MAX_DEPTH: whole(12, 1, 50).describe('the maximum depth of an operation'),
  MAX_TOKENS: whole(2000, 100, 100_000).describe('the maximum number of tokens in an operation'),
  MAX_ALIASES: whole(30, 0, 1000).describe('the maximum number of aliases in an operation'),
  MAX_COST: whole(10_000, 100, 1_000_000).describe('the maximum estimated cost of an operation'),
  MAX_BODY_BYTES: whole(1_048_576, 10_000, 100_000_000).describe('the maximum size of a request without files'),
  MAX_UPLOAD_BYTES: whole(4_294_967_296, 1_000_000, Number.MAX_SAFE_INTEGER).describe(
    'the maximum size of an uploaded file, as sent',
  ),
  MIN_BYTES_PER_SECOND: whole(500, 1, 1_000_000).describe(
    'a request without files whose body arrives more slowly is aborted',
  ),
  MIN_UPLOAD_BYTES_PER_SECOND: whole(8192, 1, 100_000_000).describe(
    'a request with files whose body arrives more slowly is aborted',
  ),
  HEADERS_TIMEOUT_MS: whole(15_000, 1000, 120_000).describe("how long a request's headers may take to arrive"),
  MAX_REQUESTS_PER_MINUTE: whole(600_000, 10, 100_000_000).describe('requests that an address may send per minute'),
  MAX_ADDRESS_COST_PER_MINUTE: whole(1_200_000, 1000, 1_000_000_000).describe(
    'the estimated cost of all operations that an address may send per minute',
  ),
  MAX_USER_COST_PER_MINUTE: whole(600_000, 1000, 1_000_000_000).describe(
    'the estimated cost of all operations that a signed-in user or an API key may send per minute, from any address',
  ),
  MAX_WAIT_MS: whole(1000, 10, 600_000).describe(
    'how long a request may take: under overload, requests that would take longer are rejected with SERVER_BUSY. Overload means that requests have waited in line for twice as long without a break',
  ),
  MAX_OPERATIONS: whole(10_000, 1, 100_000).describe(
    'operations that may run or wait concurrently, without subscriptions',
  ),
  MAX_SOCKETS: whole(10_000, 1, 100_000).describe('sockets that may be open concurrently'),
  MAX_SOCKETS_PER_ADDRESS: whole(1000, 1, 100_000).describe(
    'sockets that may be open concurrently from one address; event streams have a separate limit of the same size',
  ),
  MAX_OPERATIONS_PER_SOCKET: whole(100, 1, 10_000).describe('operations that may run concurrently on a socket'),
  MAX_MESSAGES_PER_SECOND: whole(1000, 1, 100_000).describe('messages that are read from a socket per second'),
  MAX_MESSAGE_BYTES: whole(262_144, 10_000, 10_000_000).describe('the maximum size of a socket message'),
  MAX_UNSENT_BYTES: whole(67_108_864, 1_000_000, 10_000_000_000).describe(
    'unsent bytes that all sockets, event streams and responses may buffer for slow clients; one account may use half. Beyond it, the longest-stalled connections are closed',
  ),
  MAX_STATE_BYTES: whole(200_000_000, 1_000_000, 10_000_000_000).describe(
    'estimated memory for all subscriptions and the states that they follow; one account may use half',
  ),
  RING_EVENTS: whole(10_000, 10, 1_000_000).describe('change events kept in memory for subscribers that reconnect'),
  RING_BYTES: whole(33_554_432, 100_000, 1_000_000_000).describe(
    'the maximum estimated size of the change events kept in memory',
  ),
  CATCH_UPS_MAX: whole(4, 1, 100).describe('change streams that may replay events for late subscribers concurrently'),
};
