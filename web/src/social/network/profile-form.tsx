/** What the viewer's profile says: to join the network, and to change it later. */
import { useState } from 'react';
import type { UploadedPicture } from '../../api/picture-upload.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Notice } from '../../kit/display/notice.js';
import { saveProfile } from '../data/network.js';
import { PictureField } from '../parts/picture-field.js';
import type { Profile } from './find.js';
import styles from './profile-form.module.css';

interface ProfileFormProps {
  /** Null: to join. */
  readonly profile: Profile | null;
  readonly yes: string;
  readonly onSaved?: () => void;
}

const INTERESTS_MAX = 20;

export function ProfileForm({ profile, yes, onSaved }: ProfileFormProps) {
  const [picture, setPicture] = useState<UploadedPicture | null>(profile?.picture ?? null);
  const [isUploading, setUploading] = useState(false);
  const { busy, refusal, submit } = useForm(async (fields) => {
    const interests = textOf(fields, 'interests')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
    const refused = await saveProfile({
      about: textOf(fields, 'about').trim(),
      place: textOf(fields, 'place').trim(),
      interests: [...new Set(interests)].slice(0, INTERESTS_MAX),
      pictureId: picture?.id ?? null,
    });
    if (refused === null) onSaved?.();
    return refused;
  });
  return (
    <form className={styles.form} onSubmit={submit}>
      <PictureField label="Profile picture" picture={picture} onChange={setPicture} onBusy={setUploading} isRound />
      <div className="field">
        <label htmlFor="about">About you</label>
        <textarea
          className="input"
          id="about"
          dir="auto"
          name="about"
          rows={3}
          maxLength={1000}
          defaultValue={profile?.about}
          placeholder="A few words, so that people recognize you"
        />
      </div>
      <TextField label="Where you live" name="place" dir="auto" maxLength={100} defaultValue={profile?.place} />
      <TextField
        label="What you like"
        name="interests"
        dir="auto"
        hint="Up to 20, with commas between them: sailing, bread, old maps"
        defaultValue={profile?.interests.join(', ')}
      />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <div>
        <button type="submit" className="button primary" disabled={busy || isUploading}>
          {busy ? 'Saving…' : isUploading ? 'Uploading…' : yes}
        </button>
      </div>
    </form>
  );
}
