/** Chooses a person of the network by the start of the name. */
import { useState } from 'react';
import { SearchBox } from '../../kit/controls/combobox.js';
import { Face } from '../parts/face.js';
import { useFoundProfiles } from './find.js';

interface PersonFieldProps {
  readonly label: string;
  readonly onChoose: (person: { readonly id: string; readonly name: string }) => void;
}

export function PersonField({ label, onChoose }: PersonFieldProps) {
  const [text, setText] = useState('');
  const { people } = useFoundProfiles(text);
  const begin = text.trim().toLowerCase();
  const options = (people ?? []).filter(({ name }) => name.toLowerCase().startsWith(begin)).slice(0, 6);
  const choose = (id: string) => {
    const person = options.find((each) => each.id === id);
    if (!person) return;
    setText(person.name);
    onChoose(person);
  };
  return (
    <SearchBox
      label={label}
      listLabel="People"
      text={text}
      onText={setText}
      options={options.map(({ id, name, picture, place }) => ({
        value: id,
        content: (
          <>
            <Face name={name} src={picture?.small} size={24} />
            <span className="cut" dir="auto">
              {name}
            </span>
            {place !== '' && <span className="cut menu-detail">{place}</span>}
          </>
        ),
      }))}
      onChoose={choose}
      onEnter={() => options[0] && choose(options[0].id)}
    />
  );
}
