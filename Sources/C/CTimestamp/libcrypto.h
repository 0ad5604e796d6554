#ifndef CTIMESTAMP_LIBCRYPTO_H
#define CTIMESTAMP_LIBCRYPTO_H

#include <dlfcn.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ts.h>
#include <openssl/x509_vfy.h>
#include <stdbool.h>

// OpenSSL 3.4 (Debian 13 has 3.5) deprecates the setters that older ones have (Debian 12: 3.0), for those that
// say by their names that the context owns what it is given.
#if OPENSSL_VERSION_PREREQ(3, 4)
#define CRYPTO_OWNING_FUNCTIONS(each) \
  each(TS_VERIFY_CTX_set0_imprint) \
  each(TS_VERIFY_CTX_set0_store)
#define CTIMESTAMP_SET_IMPRINT TS_VERIFY_CTX_set0_imprint
#define CTIMESTAMP_SET_STORE TS_VERIFY_CTX_set0_store
#else
#define CRYPTO_OWNING_FUNCTIONS(each) \
  each(TS_VERIFY_CTX_set_imprint) \
  each(TS_VERIFY_CTX_set_store)
#define CTIMESTAMP_SET_IMPRINT TS_VERIFY_CTX_set_imprint
#define CTIMESTAMP_SET_STORE TS_VERIFY_CTX_set_store
#endif

// The functions of libcrypto that are called here, also by macros of its headers, with the types of these. The
// library is loaded with the first timestamp: linking it adds 2 ms to each start of the program.
#define CRYPTO_FUNCTIONS(each) \
  each(ASN1_INTEGER_free) \
  each(ASN1_INTEGER_get) \
  each(ASN1_INTEGER_to_BN) \
  each(ASN1_STRING_get0_data) \
  each(ASN1_STRING_length) \
  each(ASN1_TIME_to_tm) \
  each(BIO_ctrl) \
  each(BIO_free) \
  each(BIO_new) \
  each(BIO_new_mem_buf) \
  each(BIO_s_mem) \
  each(BN_bin2bn) \
  each(BN_bn2hex) \
  each(BN_free) \
  each(BN_to_ASN1_INTEGER) \
  each(CRYPTO_free) \
  each(CRYPTO_memdup) \
  each(ERR_clear_error) \
  each(ERR_get_error) \
  each(ERR_get_error_all) \
  each(ERR_reason_error_string) \
  each(OBJ_nid2obj) \
  each(OBJ_obj2nid) \
  each(OPENSSL_init_crypto) \
  each(OPENSSL_sk_free) \
  each(OPENSSL_sk_num) \
  each(OPENSSL_sk_value) \
  each(PEM_read_bio_X509) \
  each(PKCS7_get0_signers) \
  each(PKCS7_get_signer_info) \
  each(RAND_bytes) \
  each(TS_MSG_IMPRINT_free) \
  each(TS_MSG_IMPRINT_get_algo) \
  each(TS_MSG_IMPRINT_get_msg) \
  each(TS_MSG_IMPRINT_new) \
  each(TS_MSG_IMPRINT_set_algo) \
  each(TS_MSG_IMPRINT_set_msg) \
  each(TS_REQ_free) \
  each(TS_REQ_get_msg_imprint) \
  each(TS_REQ_get_nonce) \
  each(TS_REQ_new) \
  each(TS_REQ_set_cert_req) \
  each(TS_REQ_set_msg_imprint) \
  each(TS_REQ_set_nonce) \
  each(TS_REQ_set_version) \
  each(TS_RESP_free) \
  each(TS_RESP_get_status_info) \
  each(TS_RESP_get_token) \
  each(TS_RESP_get_tst_info) \
  each(TS_RESP_verify_response) \
  each(TS_STATUS_INFO_get0_status) \
  each(TS_TST_INFO_get_msg_imprint) \
  each(TS_TST_INFO_get_nonce) \
  each(TS_TST_INFO_get_time) \
  each(TS_VERIFY_CTX_free) \
  each(TS_VERIFY_CTX_new) \
  each(TS_VERIFY_CTX_set_flags) \
  CRYPTO_OWNING_FUNCTIONS(each) \
  each(X509_ALGOR_free) \
  each(X509_ALGOR_get0) \
  each(X509_ALGOR_new) \
  each(X509_ALGOR_set0) \
  each(X509_NAME_print_ex) \
  each(X509_STORE_add_cert) \
  each(X509_STORE_free) \
  each(X509_STORE_get0_param) \
  each(X509_STORE_new) \
  each(X509_STORE_set_flags) \
  each(X509_VERIFY_PARAM_set_time) \
  each(X509_free) \
  each(X509_get_subject_name) \
  each(d2i_TS_REQ) \
  each(d2i_TS_RESP) \
  each(i2d_TS_REQ)

static struct {
#define MEMBER(name) __typeof__(&name) name;
  CRYPTO_FUNCTIONS(MEMBER)
#undef MEMBER
} crypto;

// Loads the library, once; the caller is the program's only thread. Whether it is there with all functions.
static bool crypto_load(void) {
  static bool is_loaded;
  if (is_loaded) return true;
  void *library = dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return false;
#define FIND(name) \
  if (!(crypto.name = (__typeof__(crypto.name))dlsym(library, #name))) return false;
  CRYPTO_FUNCTIONS(FIND)
#undef FIND
  // Neither settings nor modules that a file or the environment names are loaded.
  is_loaded = crypto.OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) == 1;
  return is_loaded;
}

// From here on the names, also in macros of the headers, are those of the table.
#define ASN1_INTEGER_free crypto.ASN1_INTEGER_free
#define ASN1_INTEGER_get crypto.ASN1_INTEGER_get
#define ASN1_INTEGER_to_BN crypto.ASN1_INTEGER_to_BN
#define ASN1_STRING_get0_data crypto.ASN1_STRING_get0_data
#define ASN1_STRING_length crypto.ASN1_STRING_length
#define ASN1_TIME_to_tm crypto.ASN1_TIME_to_tm
#define BIO_ctrl crypto.BIO_ctrl
#define BIO_free crypto.BIO_free
#define BIO_new crypto.BIO_new
#define BIO_new_mem_buf crypto.BIO_new_mem_buf
#define BIO_s_mem crypto.BIO_s_mem
#define BN_bin2bn crypto.BN_bin2bn
#define BN_bn2hex crypto.BN_bn2hex
#define BN_free crypto.BN_free
#define BN_to_ASN1_INTEGER crypto.BN_to_ASN1_INTEGER
#define CRYPTO_free crypto.CRYPTO_free
#define CRYPTO_memdup crypto.CRYPTO_memdup
#define ERR_clear_error crypto.ERR_clear_error
#define ERR_get_error crypto.ERR_get_error
#define ERR_get_error_all crypto.ERR_get_error_all
#define ERR_reason_error_string crypto.ERR_reason_error_string
#define OBJ_nid2obj crypto.OBJ_nid2obj
#define OBJ_obj2nid crypto.OBJ_obj2nid
#define OPENSSL_init_crypto crypto.OPENSSL_init_crypto
#define OPENSSL_sk_free crypto.OPENSSL_sk_free
#define OPENSSL_sk_num crypto.OPENSSL_sk_num
#define OPENSSL_sk_value crypto.OPENSSL_sk_value
#define PEM_read_bio_X509 crypto.PEM_read_bio_X509
#define PKCS7_get0_signers crypto.PKCS7_get0_signers
#define PKCS7_get_signer_info crypto.PKCS7_get_signer_info
#define RAND_bytes crypto.RAND_bytes
#define TS_MSG_IMPRINT_free crypto.TS_MSG_IMPRINT_free
#define TS_MSG_IMPRINT_get_algo crypto.TS_MSG_IMPRINT_get_algo
#define TS_MSG_IMPRINT_get_msg crypto.TS_MSG_IMPRINT_get_msg
#define TS_MSG_IMPRINT_new crypto.TS_MSG_IMPRINT_new
#define TS_MSG_IMPRINT_set_algo crypto.TS_MSG_IMPRINT_set_algo
#define TS_MSG_IMPRINT_set_msg crypto.TS_MSG_IMPRINT_set_msg
#define TS_REQ_free crypto.TS_REQ_free
#define TS_REQ_get_msg_imprint crypto.TS_REQ_get_msg_imprint
#define TS_REQ_get_nonce crypto.TS_REQ_get_nonce
#define TS_REQ_new crypto.TS_REQ_new
#define TS_REQ_set_cert_req crypto.TS_REQ_set_cert_req
#define TS_REQ_set_msg_imprint crypto.TS_REQ_set_msg_imprint
#define TS_REQ_set_nonce crypto.TS_REQ_set_nonce
#define TS_REQ_set_version crypto.TS_REQ_set_version
#define TS_RESP_free crypto.TS_RESP_free
#define TS_RESP_get_status_info crypto.TS_RESP_get_status_info
#define TS_RESP_get_token crypto.TS_RESP_get_token
#define TS_RESP_get_tst_info crypto.TS_RESP_get_tst_info
#define TS_RESP_verify_response crypto.TS_RESP_verify_response
#define TS_STATUS_INFO_get0_status crypto.TS_STATUS_INFO_get0_status
#define TS_TST_INFO_get_msg_imprint crypto.TS_TST_INFO_get_msg_imprint
#define TS_TST_INFO_get_nonce crypto.TS_TST_INFO_get_nonce
#define TS_TST_INFO_get_time crypto.TS_TST_INFO_get_time
#define TS_VERIFY_CTX_free crypto.TS_VERIFY_CTX_free
#define TS_VERIFY_CTX_new crypto.TS_VERIFY_CTX_new
#define TS_VERIFY_CTX_set_flags crypto.TS_VERIFY_CTX_set_flags
#define TS_VERIFY_CTX_set0_imprint crypto.TS_VERIFY_CTX_set0_imprint
#define TS_VERIFY_CTX_set0_store crypto.TS_VERIFY_CTX_set0_store
#define TS_VERIFY_CTX_set_imprint crypto.TS_VERIFY_CTX_set_imprint
#define TS_VERIFY_CTX_set_store crypto.TS_VERIFY_CTX_set_store
#define X509_ALGOR_free crypto.X509_ALGOR_free
#define X509_ALGOR_get0 crypto.X509_ALGOR_get0
#define X509_ALGOR_new crypto.X509_ALGOR_new
#define X509_ALGOR_set0 crypto.X509_ALGOR_set0
#define X509_NAME_print_ex crypto.X509_NAME_print_ex
#define X509_STORE_add_cert crypto.X509_STORE_add_cert
#define X509_STORE_free crypto.X509_STORE_free
#define X509_STORE_get0_param crypto.X509_STORE_get0_param
#define X509_STORE_new crypto.X509_STORE_new
#define X509_STORE_set_flags crypto.X509_STORE_set_flags
#define X509_VERIFY_PARAM_set_time crypto.X509_VERIFY_PARAM_set_time
#define X509_free crypto.X509_free
#define X509_get_subject_name crypto.X509_get_subject_name
#define d2i_TS_REQ crypto.d2i_TS_REQ
#define d2i_TS_RESP crypto.d2i_TS_RESP
#define i2d_TS_REQ crypto.i2d_TS_REQ

#endif
