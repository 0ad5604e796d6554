/// A picture whose path has the form of a pattern in which `*` stands for any part of a name and `<n>` for digits.
package struct NameExample: Sendable {
  /// The path of the picture `IMG_9.jpg`, or of one with its name in it.
  package let path: String
  /// What lies beside the first folder of the path.
  package let beside: [String]

  /// Makes an example.
  ///
  /// - Parameters:
  ///   - pattern: The end of the picture's path, or a folder that holds it.
  ///   - beside: Lists of paths of which one each is there; `{name}` is the picture's own.
  package init(of pattern: String, beside: [[String]] = []) {
    let name = "IMG_9.jpg"
    let filled = pattern.replacing("<n>", with: "1714492983").replacing("*", with: name)
    let isEnding = pattern.hasPrefix("*.") && !pattern.contains("/") && !pattern.hasSuffix(".lrdata")
    let isFile = filled.hasSuffix(name) || isEnding || pattern.hasSuffix(".tmp")
    path = isFile ? filled : filled + "/" + name
    self.beside = beside.compactMap(\.first).map { $0.replacing("{name}", with: name) }
  }
}
