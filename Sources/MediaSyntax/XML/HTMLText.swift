/// Text of files and people in a page.
package enum HTMLText {
  /// Wraps a name so that it is isolated from the direction of what surrounds it.
  package static func isolated(_ text: String) -> String { "<bdi>\(XMLText.escaped(text))</bdi>" }
}
