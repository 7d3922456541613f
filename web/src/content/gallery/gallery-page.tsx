/** A gallery: its photos, and uploads. */
import { Empty } from '../../kit/display/notice.js';

export function GalleryPage() {
  return (
    <Empty icon="picture" title="Galleries">
      soon
    </Empty>
  );
}
