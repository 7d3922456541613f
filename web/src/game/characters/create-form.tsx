/** Creates a character: a name and a class. */
import { useState } from 'react';
import type { CharacterClass } from '../../../generated/graphql.js';
import { Choice } from '../../kit/controls/choices.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { classes } from '../parts/class-words.js';
import { createCharacter } from './characters.js';

export function CreateForm({ onCreated }: { onCreated: (id: string) => void }) {
  const [is, choose] = useState<CharacterClass>('WARRIOR');
  const [wrongName, setWrongName] = useState<string | null>(null);
  const form = useForm(async (fields) => {
    const created = await createCharacter(textOf(fields, 'name').trim(), is);
    setWrongName('wrongName' in created ? created.wrongName : null);
    if ('id' in created) onCreated(created.id);
    return 'refusal' in created ? created.refusal : null;
  });
  return (
    <ModalForm form={form} yes="Enter the world" doing="Entering…">
      <TextField
        label="Name"
        name="name"
        minLength={2}
        maxLength={30}
        autoComplete="off"
        wrong={wrongName}
        onChange={() => setWrongName(null)}
        hint="Others see it. Nobody else in the world may have it."
        required
      />
      <Choice label="Class" options={classes} chosen={is} onChange={choose} />
    </ModalForm>
  );
}
