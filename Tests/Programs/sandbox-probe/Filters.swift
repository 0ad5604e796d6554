internal import COldKernel
internal import Glibc
internal import MediaSandbox

/// Prints the instructions of a filter, one a line, without loading it; without a kind what they depend on
/// beside the rules.
///
/// - Throws: `.seccompUnavailable` when libseccomp cannot make it.
func filter(_ kind: String) throws(SandboxError) {
  let result =
    kind.isEmpty
    ? coldkernel_write_filter_writer(STDOUT_FILENO) : coldkernel_write_filter(kind, STDOUT_FILENO)
  guard result >= 0 else { throw SandboxError(.seccompUnavailable, number: -result) }
}
