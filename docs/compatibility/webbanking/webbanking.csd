* Installs the bundle of the repository, which has the transactions, the programs and a library.
DEFINE BUNDLE(WEBBANK) GROUP(ASYNCAPI)
       BUNDLEDIR(checkout/web-banking/etc/AsyncRedbooksWebBankingBundle)
