import MediaModel

/// Finds the positions of values in a JSON text by their paths.
package struct JSONPositions {
  private let root: JSONNode?

  /// - Parameter bytes: The whole file; one that cannot be read has no positions.
  package init(_ bytes: [UInt8]) {
    root = JSONParser.parse(bytes).root
  }

  /// The position of the key that a JSON path names, such as `$.sources.camera.path`.
  ///
  /// - Returns: The position of the nearest enclosing value when there is no such value; nil for a
  ///   text without any value.
  package func position(of path: String) -> TextPosition? {
    guard var node = root else { return nil }
    var position = node.position
    var reached = JSONPath.root
    descent: while reached != path {
      switch node.value {
      case .object(let members):
        for member in members {
          let child = JSONPath.member(reached, member.key)
          guard Self.leads(child, to: path) else { continue }
          (reached, position, node) = (child, member.keyPosition, member.value)
          continue descent
        }
      case .array(let elements):
        for (index, element) in elements.enumerated() {
          let child = JSONPath.element(reached, index)
          guard Self.leads(child, to: path) else { continue }
          (reached, position, node) = (child, element.position, element)
          continue descent
        }
      default: break
      }
      break
    }
    return position
  }

  /// Whether `path` names the same value as `other`, or one that contains it.
  private static func leads(_ path: String, to other: String) -> Bool {
    guard other.utf8.starts(with: path.utf8) else { return false }
    let next = other.utf8.dropFirst(path.utf8.count).first
    return next == nil || next == .dot || next == UInt8(ascii: "[")
  }
}
