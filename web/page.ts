// What every page of the dashboard receives from its address.
export interface PageProps {
  /** The parts of the path at `:name` in the pattern. */
  params: Record<string, string>
  query: URLSearchParams
}
