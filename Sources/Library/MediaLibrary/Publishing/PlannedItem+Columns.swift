internal import Foundation
package import GRDB
internal import MediaFileSystem
internal import MediaModel

extension SourceFileColumn {
  /// The value of the column; nil for one that tells something else.
  package func value(of item: PlannedItem) -> (any DatabaseValueConvertible)? {
    switch self {
    case .source: item.source.kind.rawValue
    case .sourceName: item.source.name
    case .path: Data(item.path.bytes)
    case .device: Int64(bitPattern: item.status.device)
    case .inode: Int64(bitPattern: item.status.inode)
    case .size: item.status.size
    case .modified: item.status.modified
    case .changed: item.status.changed
    default: nil
    }
  }
}
