/** Starts invariant checks and recoveries, which the server runs in the background, and follows their status. */
import { graphql } from '../../../../generated/gql.js';
import type { InvariantCheckChangedSubscription, RecoveryChangedSubscription } from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';
import type { EventOf } from '../../../api/subscription.js';
import { type Live, useLive } from '../../../api/use-live.js';

const InvariantCheckChangedDocument = graphql(`
  subscription InvariantCheckChanged($after: String) {
    invariantCheckChanged(after: $after) {
      cursor
      reset
      check { state startedAt finishedAt step done total failure violations { domain invariant subject detail } }
    }
  }
`);

const RecoveryChangedDocument = graphql(`
  subscription RecoveryChanged($after: String) {
    recoveryChanged(after: $after) {
      cursor
      reset
      recovery { state startedAt finishedAt step done total failure runs { worker found failure } }
    }
  }
`);

const CheckInvariantsDocument = graphql(`
  mutation CheckInvariants {
    checkInvariants { state }
  }
`);

const RecoverDocument = graphql(`
  mutation Recover {
    recover { state }
  }
`);

export type Check = EventOf<InvariantCheckChangedSubscription>['check'];
export type Recovery = EventOf<RecoveryChangedSubscription>['recovery'];

const nothing = {};
const checkOf = (_state: unknown, { check }: EventOf<InvariantCheckChangedSubscription>) => check;
const recoveryOf = (_state: unknown, { recovery }: EventOf<RecoveryChangedSubscription>) => recovery;

export const useCheck = (): Live<Check> => useLive(InvariantCheckChangedDocument, nothing, checkOf);
export const useRecovery = (): Live<Recovery> => useLive(RecoveryChangedDocument, nothing, recoveryOf);

/** @returns why it was refused, or null */
export async function beginCheck(): Promise<string | null> {
  const answer = await mutate(CheckInvariantsDocument, {});
  return typeof answer === 'string' ? answer : null;
}

/** @returns why it was refused, or null */
export async function beginRecovery(): Promise<string | null> {
  const answer = await mutate(RecoverDocument, {});
  return typeof answer === 'string' ? answer : null;
}
