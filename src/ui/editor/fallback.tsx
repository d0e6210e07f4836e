import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  /** Told when the children could not be loaded or drawn. */
  readonly onFail: () => void;
}

/** Keeps a failure of the rich editor from taking the page, and the user's text, with it. */
export class Fallback extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onFail();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
