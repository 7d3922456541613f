/** Keeps an error in one page from taking down the frame. */
import { Component, type ReactNode } from 'react';
import { Notice } from '../kit/display/notice.js';

/** Browsers identify a module that could not be fetched only by its message. */
const isLoadFailure = ({ message }: Error) => /dynamically imported|preload|module script/i.test(message);

export class ErrorFence extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <Notice
        tone="bad"
        action={
          <button type="button" className="button" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        }
      >
        {isLoadFailure(this.state.error)
          ? 'This page could not be loaded. The server is unreachable, or was updated since you opened the dashboard.'
          : `Something went wrong on this page: ${this.state.error.message}`}
      </Notice>
    );
  }
}
