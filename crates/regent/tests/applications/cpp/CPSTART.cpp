// Starts a transaction with data, and is that transaction.
#include "icceh.hpp"
#include "iccmain.hpp"
#include <string.h>

void IccUserControl::run()
{
    IccStartRequestQ &requests = *startRequestQ();
    if (task()->startType() == IccTask::startRequest) {
        requests.retrieveData();
        *terminal() << "STARTED " << requests.data() << " QUEUE " << requests.queueName() << " BY " << requests.returnTransId().name() << " "
                    << (strcmp(requests.returnTermId().name(), terminal()->name()) == 0) << " " << requests.conditionText() << " "
                    << task()->isStartDataAvailable() << endl << flush;
        requests.retrieveData();
        *terminal() << "NO MORE " << requests.conditionText() << endl << flush;
        return;
    }
    terminal()->erase();
    requests.setData("passed on");
    requests.setQueueName("CPQ");
    requests.setReturnTransId(task()->transId());
    requests.setReturnTermId(terminal()->name());
    IccTermId here(terminal()->name());
    IccRequestId later = requests.start("CP8S", &here, new IccTimeInterval(1, 0, 0));
    *terminal() << "REQUEST " << strlen(later.name());
    requests.cancel(later);
    *terminal() << " CANCELLED " << requests.conditionText();
    requests.cancel(later);
    *terminal() << " " << requests.conditionText() << endl << flush;
    IccTimeInterval soon(0, 0, 1);
    IccRequestId name("CPPREQ");
    requests.start("CP8S", &here, &soon, &name);
    requests.reset();
    requests.start("NONE");
    *terminal() << "NONE " << requests.conditionText() << endl << flush;
}
