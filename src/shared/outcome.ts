/** Expected failures of a mutation: returned as values, and members of its result union in the SDL. */

/** A refusal of the named SDL type. `Data` are the fields of this type besides the message. */
export type Refusal<Name extends string, Data extends object = object> = Readonly<
  { __typename: Name; message: string } & Data
>;

/** Makes a refusal. @param name its SDL type @param message an explanation for the user */
export function refuse<const Name extends string, Data extends object = object>(
  name: Name,
  message: string,
  data?: Data,
): Refusal<Name, Data> {
  return { __typename: name, message, ...data } as Refusal<Name, Data>;
}
