import type { FastifyInstance } from 'fastify';
import type { HttpCarrier } from './http.js';
export async function registerEventStream(_app: FastifyInstance, _carrier: HttpCarrier): Promise<void> {}
