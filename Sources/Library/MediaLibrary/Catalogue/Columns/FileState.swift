/// The state of a published file: a value of the columns `superseded`.
package enum FileState: Int {
  /// The file is a current one of its asset.
  case current = 0
  /// The next start removes the file.
  case superseded = 1
  /// The original is an earlier version of a current one, and stays until `repair --superseded --replaced`.
  case replaced = 2
  /// The asset was taken out of the library: the file lies in `Quarantine`, or was removed there. An asset has
  /// this state too.
  case withdrawn = 3
}
