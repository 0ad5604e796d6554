internal import MediaModel

/// A JSON value with its position.
package struct JSONNode {
  package enum Value {
    case null
    case bool(Bool)
    /// The integer is nil for a number with a fraction or an exponent, and for one beyond `Int`.
    case number(integer: Int?)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
    /// A value with an error that was reported.
    case damaged
  }

  package var position: TextPosition
  package var value: Value
  /// The text of a number that is not an `Int`, such as `48.8583736`; nil for every other value.
  package var decimal: String?
  /// Its bytes in the text.
  package var range = 0..<0

  /// The name of the value's type for a person.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    case .damaged: "unreadable"
    }
  }

  /// The value of an object's first member of a name; nil for another value.
  package subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.isNamed(name) }?.value
  }
}

/// A key and its value.
package struct JSONMember {
  package var key: String
  package var keyPosition: TextPosition
  package var value: JSONNode

  /// Compares bytes: Swift's `==` on strings calls some different ones equal, such as U+212A and
  /// `K`.
  package func isNamed(_ name: String) -> Bool { key.utf8.elementsEqual(name.utf8) }
}

/// Writes JSON paths, such as `$.sources.camera.path`.
package enum JSONPath {
  /// The path of the outermost value.
  package static let root = "$"

  /// The path of a member; a key that is not a plain word is quoted and escaped.
  package static func member(_ parent: String, _ key: String) -> String {
    let isPlain =
      key.utf8.count <= 64 && !key.isEmpty
      && key.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_-$".utf8.contains($0) }
    return isPlain ? "\(parent).\(key)" : "\(parent)[\"\(EscapedText.printable(key, limit: 60))\"]"
  }

  /// The path of an element by its 0-based index.
  package static func element(_ parent: String, _ index: Int) -> String { "\(parent)[\(index)]" }
}
