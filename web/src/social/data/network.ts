/** Profiles and circles. */
import { graphql } from '../../../generated/gql.js';
import { mutate } from '../../api/client.js';
import { useData } from '../../api/use-data.js';

graphql(`
  fragment NetworkProfile on Profile {
    __typename id name about place interests joinedAt followerCount followingCount followsMe blockedByMe
    picture { id small: url(width: 320) }
    myCircles { id name }
  }
`);

graphql(`
  fragment OwnCircle on Circle { __typename id name memberCount }
`);

export const ProfileDocument = graphql(`
  query ProfileInNetwork($id: ID) { profile(userId: $id) { ...NetworkProfile } }
`);

export const CirclesDocument = graphql(`
  query OwnCircles { circles { ...OwnCircle } }
`);

const SaveProfileDocument = graphql(`
  mutation SaveProfile($input: ProfileInput!) { saveProfile(input: $input) { ...NetworkProfile } }
`);

const AddToCircleDocument = graphql(`
  mutation AddToCircle($circle: ID!, $person: ID!) {
    addToCircle(circleId: $circle, userId: $person) { __typename ...OwnCircle ... on Refusal { message } }
  }
`);

const RemoveFromCircleDocument = graphql(`
  mutation RemoveFromCircle($circle: ID!, $person: ID!) {
    removeFromCircle(circleId: $circle, userId: $person) { __typename ...OwnCircle ... on Refusal { message } }
  }
`);

const CreateCircleDocument = graphql(`
  mutation CreateCircle($name: String!) {
    createCircle(name: $name) { __typename ...OwnCircle ... on Refusal { message } }
  }
`);

const RenameCircleDocument = graphql(`
  mutation RenameCircle($id: ID!, $name: String!) {
    renameCircle(id: $id, name: $name) { __typename ...OwnCircle ... on Refusal { message } }
  }
`);

const DeleteCircleDocument = graphql(`
  mutation DeleteCircle($id: ID!) { deleteCircle(id: $id) { __typename ... on Refusal { message } } }
`);

const BlockPersonDocument = graphql(`
  mutation BlockPerson($id: ID!) { blockPerson(userId: $id) { __typename ... on Refusal { message } } }
`);

const UnblockPersonDocument = graphql(`
  mutation UnblockPerson($id: ID!) { unblockPerson(userId: $id) { __typename ... on Refusal { message } } }
`);

/** What a change of the network may change: every list of people and circles. */
const NETWORK = { additionalTypenames: ['Profile', 'Circle', 'Author', 'AuthorConnection', 'ProfileConnection'] };

export const useProfile = (id: string | null) => useData(ProfileDocument, { id }, NETWORK);
export const useCircles = () => useData(CirclesDocument, {}, NETWORK);
export const networkContext = NETWORK;

/** @returns why it failed, or null */
type Outcome = Promise<string | null>;

const outcomeOf = (answer: object | string): string | null => {
  if (typeof answer === 'string') return answer;
  const [result] = Object.values(answer).filter((each) => typeof each === 'object') as { message?: string }[];
  return result?.message === undefined ? null : `${result.message}.`;
};

export const saveProfile = async (input: {
  about: string;
  place: string;
  interests: string[];
  pictureId: string | null;
}): Outcome => outcomeOf(await mutate(SaveProfileDocument, { input }, NETWORK));

export const setInCircle = async (circle: string, person: string, isIn: boolean): Outcome =>
  outcomeOf(
    isIn
      ? await mutate(AddToCircleDocument, { circle, person }, NETWORK)
      : await mutate(RemoveFromCircleDocument, { circle, person }, NETWORK),
  );

/** @returns its id */
export async function createCircle(name: string): Promise<{ readonly id: string } | string> {
  const answer = await mutate(CreateCircleDocument, { name }, NETWORK);
  if (typeof answer === 'string') return answer;
  const made = answer.createCircle;
  return made.__typename === 'Circle' ? made : `${made.message}.`;
}

export const renameCircle = async (id: string, name: string): Outcome =>
  outcomeOf(await mutate(RenameCircleDocument, { id, name }, NETWORK));

export const deleteCircle = async (id: string): Outcome =>
  outcomeOf(await mutate(DeleteCircleDocument, { id }, NETWORK));

export const setBlocked = async (id: string, isBlocked: boolean): Outcome =>
  outcomeOf(
    isBlocked
      ? await mutate(BlockPersonDocument, { id }, NETWORK)
      : await mutate(UnblockPersonDocument, { id }, NETWORK),
  );
