import { Component, type JSX, type ReactNode } from "react";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/** One panel's failure stays its own: the others go on, and it can be tried again. */
export class ErrorBoundary extends Component<Props, { readonly message: string | undefined }> {
  override state: { readonly message: string | undefined } = { message: undefined };

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.message === undefined) return this.props.children;
    return (
      <section aria-label={this.props.name} style={{ padding: 16 }}>
        <Failure name={this.props.name} message={this.state.message} retry={() => this.setState({ message: undefined })} />
      </section>
    );
  }
}

function Failure({ name, message, retry }: { readonly name: string; readonly message: string; readonly retry: () => void }): JSX.Element {
  return (
    <>
      <p role="alert">
        {name} could not be shown: {message}
      </p>
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    </>
  );
}
