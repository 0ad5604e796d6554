internal import Foundation

/// Lists of texts in JSON, as columns have them.
package enum TextList {
  package static func array(_ texts: [String]) -> [UInt8] {
    [UInt8]((try? JSONEncoder().encode(texts)) ?? Data("[]".utf8))
  }

  /// The texts of a list; empty for anything else.
  package static func texts(_ json: String?) -> [String] {
    guard let json else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
  }
}
